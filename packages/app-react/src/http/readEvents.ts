/**
 * Reads the data of server-sent events, one after the other, until the answer ends.
 *
 * @param body - of an answer with the content type `text/event-stream`.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<string> {
  const reader = body
    ?.pipeThrough(
      new TextDecoderStream() as TransformStream<Uint8Array, string>,
    )
    .getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) {
      return;
    }
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, data] = /^data: (.*)$/m.exec(event) ?? [];
      if (data !== undefined) {
        yield data;
      }
    }
  }
}
