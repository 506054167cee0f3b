import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol, SupportsFloat, SupportsIndex, TypeAlias, final

__version__: str

class _Stream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _Array(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> object: ...

class _Numbers(Protocol):
    def __array__(self) -> Any: ...

Numbers: TypeAlias = _Stream | _Array | _Numbers | Iterable[SupportsFloat | SupportsIndex | None]
Names: TypeAlias = str | Sequence[str]
Encoding: TypeAlias = Literal["plain", "dictionary"]
Cell: TypeAlias = str | float | bool | None

def unpack(packed: str | os.PathLike[str], path: str | os.PathLike[str]) -> None: ...

class Columns:
    """The columns of rows or of a stream, without their values."""

    @property
    def column_names(self) -> list[str]: ...
    @property
    def column_types(self) -> list[tuple[str, str]]: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Rows(Columns):
    """Columns of rows, in batches. Packages that know Arrow read it as it is."""

    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> list[Cell]: ...
    def to_pydict(self) -> dict[str, list[Cell]]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Stream(Columns):
    """A stream of batches with their added columns. It can be read once."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Directory:
    """A directory over one snapshot file. Threads share it."""

    def __new__(cls, path: str | os.PathLike[str]) -> Directory: ...
    @property
    def path(self) -> os.PathLike[str]: ...
    @property
    def snapshot_id(self) -> str: ...
    @property
    def as_of(self) -> str: ...
    def resolve(
        self, lat: float, lon: float, *, columns: Names | None = None, functions: Names | None = None
    ) -> dict[str, Cell]:
        """The cells of one point by their names: all if neither columns nor functions are named, else as in resolve_many."""

    def resolve_many(
        self,
        lat: Numbers,
        lon: Numbers,
        *,
        columns: Names | None = None,
        functions: Names | None = None,
        encoding: Encoding = "plain",
        threads: int | None = None,
    ) -> Rows:
        """A row for each point. One that is no point has its reason in the column ``error``."""

    def resolve_batches(
        self,
        stream: _Stream,
        *,
        lat: str = "lat",
        lon: str = "lon",
        geometry: str | None = None,
        columns: Names | None = None,
        functions: Names | None = None,
        encoding: Encoding = "plain",
    ) -> Stream:
        """The batches of a table or reader with their added columns, one after the other as they are read."""

    def search(self, text: str, *, state: str | None = None, limit: int = 10) -> list[dict[str, Any]]:
        """Jurisdictions with this name, the best first."""

    def place(self, id: str) -> dict[str, Any] | None:
        """A jurisdiction by its id, with its offices; ``None`` for an unknown one."""

    def jurisdictions(self) -> Rows:
        """All jurisdictions."""

    def boundary(self, id: str) -> dict[str, Any] | None:
        """The outline of a jurisdiction as a GeoJSON geometry; ``None`` without one."""
