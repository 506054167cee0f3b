//! JSON of the answers: objects of texts, lengths and truth values. A crate for all of JSON would make the module larger.

/// An object that is being written.
#[derive(Default)]
pub(crate) struct Object {
    written: String,
}

impl Object {
    /// Adds a text, or null.
    pub(crate) fn text(mut self, name: &str, text: Option<&str>) -> Object {
        self.key(name);
        match text {
            Some(text) => quoted(&mut self.written, text),
            None => self.written.push_str("null"),
        }
        self
    }

    /// Adds a length, which columns round to tenths, with one decimal.
    pub(crate) fn tenths(self, name: &str, meters: f64) -> Object {
        let tenths = (meters * 10.0).round() as u64;
        self.raw(name, &format!("{}.{}", tenths / 10, tenths % 10))
    }

    /// Adds a value that is JSON already.
    pub(crate) fn raw(mut self, name: &str, json: &str) -> Object {
        self.key(name);
        self.written.push_str(json);
        self
    }

    /// The text of the object.
    pub(crate) fn end(mut self) -> String {
        self.written.push_str(if self.written.is_empty() { "{}" } else { "}" });
        self.written
    }

    fn key(&mut self, name: &str) {
        self.written.push(if self.written.is_empty() { '{' } else { ',' });
        quoted(&mut self.written, name);
        self.written.push(':');
    }
}

/// The text of a list.
pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    format!("[{}]", items.join(","))
}

/// Writes a text in quotes. Control characters beside tabs and ends of lines become spaces.
fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\0'..' ' => out.push(' '),
            letter => out.push(letter),
        }
    }
    out.push('"');
}
