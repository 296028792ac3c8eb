// What a reader types into a search field goes to the page of results behind a "#": no server sees it.
addEventListener("submit", (event) => {
  if (!event.target.matches("form.bd-search")) return;
  event.preventDefault();
  const words = new FormData(event.target).get("q").trim();
  if (words) location.href = `${event.target.action}#${new URLSearchParams({ q: words })}`;
});
