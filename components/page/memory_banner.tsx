/** Says that what the reader sees is sample data in memory, and how to change that. */
export function MemoryBanner() {
  return (
    <aside class="banner" aria-label="About this data">
      <strong>Sample data in memory.</strong>{" "}
      Nothing here lasts, and each running instance has its own. Set <code>DATABASE_URL</code>{" "}
      to keep data, or <code>SERVICE_BASE_URL</code> to use a service.
    </aside>
  );
}
