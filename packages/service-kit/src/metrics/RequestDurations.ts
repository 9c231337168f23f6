/** Upper bounds in seconds. */
const BOUNDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

const NAME = 'http_request_duration_seconds';
const HEAD = [
  `# HELP ${NAME} Seconds from the arrival of a request to the end of its answer`,
  `# TYPE ${NAME} histogram`,
];

/** The observations of one method, route and status. */
interface Series {
  readonly labels: string;
  /**
   * Observations by the first bound that they do not exceed; the last element counts those above
   * all bounds.
   */
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram of request durations by method, route and status. prom-client's own histogram builds
 * and hashes an object of labels for each observation, which costs more than some requests do.
 */
export class RequestDurations {
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();

  /**
   * Records the duration of a request.
   *
   * @param seconds - from the arrival of the request to the end of its response.
   */
  observe(
    request: { method: string; route: string; status: number },
    seconds: number,
  ): void {
    const { method, route, status } = request;
    const series =
      this.#series.get(route)?.get(method)?.get(status) ?? this.#add(request);
    let place = 0;
    while (place < BOUNDS.length && seconds > BOUNDS[place]) {
      place += 1;
    }
    series.counts[place] += 1;
    series.sum += seconds;
  }

  #add(request: { method: string; route: string; status: number }): Series {
    const { method, route, status } = request;
    const methods = this.#series.get(route) ?? new Map();
    const statuses = methods.get(method) ?? new Map();
    const series = {
      labels: `method="${escape(method)}",route="${escape(route)}",status="${status}"`,
      counts: Array.from({ length: BOUNDS.length + 1 }, () => 0),
      sum: 0,
    };
    this.#series.set(route, methods.set(method, statuses.set(status, series)));
    return series;
  }

  /** Returns all series in the Prometheus text format. */
  toText(): string {
    const lines = [...this.#series.values()]
      .flatMap(methods => [...methods.values()])
      .flatMap(statuses => [...statuses.values()])
      .flatMap(({ labels, counts, sum }) => {
        let count = 0;
        const buckets = [...BOUNDS, '+Inf'].map((bound, place) => {
          count += counts[place];
          return `${NAME}_bucket{le="${bound}",${labels}} ${count}`;
        });
        return [
          ...buckets,
          `${NAME}_sum{${labels}} ${sum}`,
          `${NAME}_count{${labels}} ${count}`,
        ];
      });
    return [...HEAD, ...lines, ''].join('\n');
  }
}

/** Escapes a label value: routes may contain regular expressions. */
function escape(label: string): string {
  return label.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
}
