"""The database: schema, migrations, queries, and tables to rows and back."""
