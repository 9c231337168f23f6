import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { shopService } from '../__fixtures__/shopService.ts';
import { startTestService } from '../testing/index.ts';

it('sends traces of requests to the configured collector', async () => {
  const received: string[] = [];
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      received.push(`${request.url} ${body}`);
      response.end('{}');
    });
  });
  await new Promise<void>(resolve => {
    collector.listen(0, '127.0.0.1', resolve);
  });
  const { port } = collector.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}/v1/traces`;
  const service = await startTestService(shopService(), {
    config: { tracing: { enabled: true, endpoint } },
  });
  await service.app.inject('/api/orders');
  await service.app.inject('/health');
  await service.stop();
  const sent = received.join('\n');
  expect(sent).toMatch(/^\/v1\/traces /);
  expect(sent).toContain('/api/orders');
  expect(sent).toContain('"stringValue":"shop"');
  expect(sent).not.toContain('/health');
  await new Promise(resolve => {
    collector.close(resolve);
  });
});
