import { Response } from 'express';
import { LocationRequest } from './schemas';

/** Adds to Backstage's answer, which its own pages read, what the contract has. */
export function addContractFields(
  res: Response,
  request: LocationRequest,
): void {
  const json = res.json.bind(res);
  res.json = body =>
    json(
      res.statusCode === 201
        ? {
            ...body,
            locationId: body.location.id,
            type: request.type,
            target: request.target,
            status: 'processing',
          }
        : body,
    );
}

/** Passes a request on, and waits until it is answered. */
export function handledBy(passOn: () => void, res: Response): Promise<void> {
  return new Promise(resolve => {
    res.once('close', resolve);
    passOn();
  });
}
