/** Says that the data is sample data in memory, and how to change that. */
export function MemoryBanner() {
  return (
    <aside class="banner" aria-label="About this data">
      <strong>Sample data in memory.</strong>{" "}
      Changes are lost on restart, and each instance has its own copy. Set <code>DATABASE_URL</code>
      {" "}
      to keep data, or <code>SERVICE_BASE_URL</code> to use your service.
    </aside>
  );
}
