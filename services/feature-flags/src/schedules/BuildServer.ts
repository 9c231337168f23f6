import { withoutSlash } from '@slipway/service-kit';

const TIMEOUT_MS = 5_000;
const ATTEMPTS = 2;

/** A build as the API of Jenkins describes it; times are milliseconds. */
interface JenkinsBuild {
  readonly result: string | null;
  /** When it started, since the Unix epoch. */
  readonly timestamp: number;
  readonly duration: number;
}

/** Reads the builds of jobs from a server with the API of Jenkins, such as the build server. */
export class BuildServer {
  readonly #url: string;
  readonly #authorization: string;

  constructor({ url, user, key }: { url: string; user: string; key: string }) {
    this.#url = withoutSlash(url);
    this.#authorization = `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
  }

  /**
   * Counts the failed builds of a job that ended at or after a time, among its latest 100. For a job
   * with a pipeline per branch, counts those of its main branch.
   *
   * @returns undefined if the job does not exist.
   * @throws Error if the server does not respond, or responds with an error.
   */
  async countFailures(job: string, since: number): Promise<number | undefined> {
    const path = job.split('/').map(encodeURIComponent).join('/job/');
    const { status, text } = await this.#get(
      `/job/${path}/api/json?tree=mainBranch,builds[result,timestamp,duration]`,
    );
    if (status === 404) {
      return undefined;
    }
    if (status < 200 || status >= 300) {
      throw new Error(`The build server responded with ${status}`);
    }
    const { builds = [], mainBranch } = JSON.parse(text) as {
      builds?: JenkinsBuild[];
      /** Missing in responses of Jenkins. */
      mainBranch?: string | null;
    };
    if (mainBranch && mainBranch !== job) {
      return this.countFailures(mainBranch, since);
    }
    return builds.filter(
      ({ result, timestamp, duration }) =>
        result === 'FAILURE' && timestamp + duration >= since,
    ).length;
  }

  /**
   * Reads a whole response, even of an error: a connection with an unread response cannot be reused.
   * Retries once after a server error or without a response.
   */
  async #get(path: string): Promise<{ status: number; text: string }> {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === ATTEMPTS;
      try {
        const response = await fetch(`${this.#url}${path}`, {
          headers: {
            accept: 'application/json',
            authorization: this.#authorization,
          },
          redirect: 'error',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const { status } = response;
        const text = await response.text();
        if (status < 500 || isLast) {
          return { status, text };
        }
      } catch (cause) {
        if (isLast) {
          throw new Error('The build server is not responding', { cause });
        }
      }
    }
  }
}
