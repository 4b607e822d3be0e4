"""Storage of specs: one interface, implemented with SQLite and PostgreSQL."""
