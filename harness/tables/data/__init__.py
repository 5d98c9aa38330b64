"""The shipped tables, one TOML file each."""
