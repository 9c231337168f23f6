/** Hands a value to the reader as a file. */
export function downloadJson(name: string, value: unknown): void {
  const file = new Blob([JSON.stringify(value, null, 2)], {
    type: 'application/json',
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
