/** Creates a CDEvent in the format of version 0.5 of the specification. */
export function cdEvent(options: {
  type: string;
  id?: string;
  source?: string;
  subject?: object;
  content?: object;
  context?: object;
  customData?: unknown;
}) {
  const { type, content, customData } = options;
  return {
    context: {
      specversion: '0.5.1',
      id: options.id ?? 'e-1',
      source: options.source ?? '/ci/shop',
      type,
      timestamp: '2026-03-06T09:00:00.500Z',
      ...options.context,
    },
    subject: { id: 'cart', source: '/ci/shop', content, ...options.subject },
    ...(customData === undefined ? {} : { customData }),
  };
}

/** Creates the CloudEvent, in JSON, that contains a CDEvent. */
export function cloudEvent(event: ReturnType<typeof cdEvent>) {
  const { id, source, type, timestamp } = event.context;
  return {
    specversion: '1.0',
    id,
    source,
    type,
    time: timestamp,
    subject: event.subject.id,
    datacontenttype: 'application/json',
    data: event,
  };
}
