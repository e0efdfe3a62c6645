export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has started reading by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
