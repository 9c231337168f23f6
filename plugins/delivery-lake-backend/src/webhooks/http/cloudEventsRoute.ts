import { RequestHandler } from 'express';
import { DeliveryLakeConfig } from '../../config';
import { IngestService } from '../../ingest/IngestService';
import { mapDelivery } from '../mapDelivery';
import { keyOf, storableType } from './deliveryKey';
import { readCloudEvents, ReceivedEvent } from './readCloudEvents';
import { DeliveryResponse, deliveryResponse } from './respond';

/** Several answers as one; each result tells which event of the batch it is about. */
function together(answers: DeliveryResponse[]): DeliveryResponse {
  const sum = (of: (answer: DeliveryResponse) => number) =>
    answers.reduce((total, answer) => total + of(answer), 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    duplicates: sum(({ duplicates }) => duplicates),
    stale: sum(({ stale }) => stale),
    rejected: sum(({ rejected }) => rejected),
    results: answers.flatMap((answer, index) =>
      answer.duplicate
        ? [{ index, outcome: 'duplicate' as const }]
        : answer.results.map(result => ({ ...result, index })),
    ),
  };
}

/** Takes CloudEvents, one or a batch. Each is a delivery of its own, known by its source and id. */
export function createCloudEventsHandler(options: {
  config: DeliveryLakeConfig;
  ingest: IngestService;
}): RequestHandler {
  const { config, ingest } = options;

  async function take(event: ReceivedEvent): Promise<DeliveryResponse> {
    const delivery = {
      channel: 'cloudevents',
      type: storableType(event.type),
      key: keyOf(event.source, event.id),
      body: JSON.stringify(event),
    };
    const { items, ignored } = mapDelivery(delivery, config);
    const taken = await ingest.ingestDelivery(delivery, items, ignored);
    return deliveryResponse(taken, ignored);
  }

  return async (req, res) => {
    const events = readCloudEvents(req);
    const answers: DeliveryResponse[] = [];
    for (const event of events) {
      answers.push(await take(event));
    }
    res.json(answers.length === 1 ? answers[0] : together(answers));
  };
}
