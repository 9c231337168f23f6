/** Hands a text to the reader as a file. */
export function download(
  name: string,
  options: { text: string; type: string },
) {
  const { text, type } = options;
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
