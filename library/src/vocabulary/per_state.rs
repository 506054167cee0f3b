//! A table with one entry for each state, indexed by FIPS code.

use super::StateCode;

/// One more than the largest FIPS state code.
const FIPS_END: usize = 100;

/// A value for each state, found by its FIPS code without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerState<T>([T; FIPS_END]);

impl<T> PerState<T> {
    /// Builds the table by calling `of` with each FIPS code from 0 to 99, including codes that no state has.
    pub fn from_fn(mut of: impl FnMut(u8) -> T) -> PerState<T> {
        PerState(std::array::from_fn(|fips| of(fips as u8)))
    }

    /// The entry of this state.
    pub fn get(&self, state: StateCode) -> &T {
        &self.0[usize::from(state.fips())]
    }

    /// The entry of this state, mutable.
    pub fn get_mut(&mut self, state: StateCode) -> &mut T {
        &mut self.0[usize::from(state.fips())]
    }

    /// The entry of a FIPS code that a record stores; `None` from 100 on.
    #[inline]
    pub fn at_fips(&self, fips: u8) -> Option<&T> {
        self.0.get(usize::from(fips))
    }
}

impl<T: Default> Default for PerState<T> {
    fn default() -> PerState<T> {
        PerState::from_fn(|_| T::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_by_their_codes() {
        let mut table = PerState::from_fn(|fips| fips);
        for state in StateCode::all() {
            assert_eq!((*table.get(state), table.at_fips(state.fips())), (state.fips(), Some(&state.fips())));
            *table.get_mut(state) = 0;
            assert_eq!(table.at_fips(state.fips()), Some(&0));
        }
        assert_eq!(table.at_fips(100), None);
    }
}
