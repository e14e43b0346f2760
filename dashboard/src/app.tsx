/** The whole dashboard. */
export function App() {
  return (
    <main>
      <h1>Telltale</h1>
      <p>
        This edge is up. Its API: <a href="/reference">the reference</a>,{' '}
        <a href="/openapi.json">the OpenAPI document</a>.
      </p>
    </main>
  );
}
