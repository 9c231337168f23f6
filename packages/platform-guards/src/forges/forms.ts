const PAYLOAD = Buffer.from('payload=');

/**
 * Returns the field `payload` of a form, in which forges may send their JSON; undefined if it is
 * missing. Decodes only this field, because anyone can send a form with a million others.
 */
export function formPayload(form: Buffer): string | undefined {
  const isFirst = form.subarray(0, PAYLOAD.length).equals(PAYLOAD);
  const begin = isFirst ? 0 : form.indexOf(`&${PAYLOAD}`) + 1;
  if (begin === 0 && !isFirst) {
    return undefined;
  }
  const end = form.indexOf('&', begin);
  const field = form.subarray(begin, end === -1 ? form.length : end);
  return new URLSearchParams(field.toString()).get('payload') ?? undefined;
}
