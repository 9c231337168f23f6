import { metricsSuite } from '../__testUtils__/metricsSuite.ts';

const suite = metricsSuite();

describe('the form', () => {
  it('explains each scale', async () => {
    const { status, body } = await suite.client.get(
      '/api/v1/cognitive-load/assessment',
    );
    expect(status).toBe(200);
    expect(body.scale).toEqual({ min: 0, max: 100, step: 5 });
    expect(body.dimensions).toHaveLength(6);
    expect(body.dimensions[3]).toMatchObject({
      id: 'performance',
      low_label: 'Perfect',
      high_label: 'Failure',
    });
  });
});
