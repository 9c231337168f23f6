import { RequestDurations } from './RequestDurations.ts';

it('counts durations in cumulative buckets', () => {
  const durations = new RequestDurations();
  const request = { method: 'GET', route: '/a', status: 200 };
  durations.observe(request, 0.001);
  durations.observe(request, 0.0011);
  durations.observe(request, 60);
  durations.observe({ ...request, status: 404 }, 0.5);
  const lines = durations.toText().split('\n');
  const labels = 'method="GET",route="/a",status="200"';
  expect(lines.slice(0, 5)).toEqual([
    '# HELP http_request_duration_seconds Seconds from the arrival of a request to the end of its answer',
    '# TYPE http_request_duration_seconds histogram',
    `http_request_duration_seconds_bucket{le="0.001",${labels}} 1`,
    `http_request_duration_seconds_bucket{le="0.0025",${labels}} 2`,
    `http_request_duration_seconds_bucket{le="0.005",${labels}} 2`,
  ]);
  expect(lines).toContain(
    `http_request_duration_seconds_bucket{le="10",${labels}} 2`,
  );
  expect(lines).toContain(
    `http_request_duration_seconds_bucket{le="+Inf",${labels}} 3`,
  );
  expect(lines).toContain(`http_request_duration_seconds_count{${labels}} 3`);
  expect(lines).toContain(
    'http_request_duration_seconds_sum{method="GET",route="/a",status="404"} 0.5',
  );
});

it('escapes routes', () => {
  const durations = new RequestDurations();
  durations.observe({ method: 'GET', route: '/:id(^\\d"$)', status: 200 }, 1);
  expect(durations.toText()).toContain('route="/:id(^\\\\d\\"$)"');
});
