"""What of the documentation is made from the code: tables, the picture of imports, and hooks of the site's build."""
