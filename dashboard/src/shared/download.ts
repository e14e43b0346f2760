const keptMs = 60_000;

/** Downloads a file that was made in the page. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Safari reads it only some time after the click.
  setTimeout(() => URL.revokeObjectURL(address), keptMs);
}
