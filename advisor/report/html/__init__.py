"""Reports as one HTML file that needs no network: the page, its charts and bars."""
