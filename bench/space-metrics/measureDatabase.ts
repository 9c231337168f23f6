import { BareProcess } from './bare/BareProcess.ts';
import type { BenchDatabase } from './BenchDatabase.ts';
import { loadRecords } from './load/loadRecords.ts';
import { checkAnswers } from './measures/checkAnswers.ts';
import { measureCached } from './measures/measureCached.ts';
import { measureReads } from './measures/measureReads.ts';
import { measureSubmissions } from './measures/measureSubmissions.ts';
import { pathOf, questionsOf } from './measures/questions.ts';
import type { Organisation } from './Organisation.ts';
import type { Measurements } from './report.ts';
import { HASH_KEY, SpaceMetricsProcess } from './SpaceMetricsProcess.ts';

/** Takes every measure on one database. */
export async function measureDatabase(
  database: BenchDatabase,
  options: {
    /** The database of the bare server. */
    bareDatabase: BenchDatabase;
    organisation: Organisation;
    seconds: number;
    say: (text: string) => void;
  },
): Promise<Measurements> {
  const { bareDatabase, organisation, seconds, say } = options;
  const { knex, name, section } = database;
  const questions = questionsOf(organisation);
  const bare = await BareProcess.start({
    database: bareDatabase.section,
    organisation,
  });
  const during = async <T>(
    settings: { minimumGroupSize?: number; cacheSeconds?: number },
    work: (service: SpaceMetricsProcess) => Promise<T>,
  ): Promise<T> => {
    const service = await SpaceMetricsProcess.start({
      database: section,
      portalUrl: bare.url,
      ...settings,
    });
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  };

  try {
    say(`${name}: loading ${organisation.events.toLocaleString('en')} events`);
    // Makes the tables.
    await during({}, async () => {});
    await loadRecords(database, { organisation, hashKey: HASH_KEY, say });
    say(`${name}: holding answers against plain SQL`);
    const plain = await during({ minimumGroupSize: 1 }, service =>
      checkAnswers(service, { knex, questions }),
    );
    say(`${name}: measuring reads`);
    const reads = await during({ cacheSeconds: 0 }, async service => {
      // Waits until closed cycles are released.
      await service.get(pathOf(questions[0]));
      return measureReads(service, { questions, seconds });
    });
    say(`${name}: measuring reads from cache, then submissions`);
    return await during({}, async service => ({
      database: name,
      questions,
      reads,
      plain,
      cached: await measureCached(service, {
        bare,
        question: questions[0],
        seconds,
      }),
      submissions: await measureSubmissions(service, {
        bare,
        knex,
        organisation,
        seconds,
      }),
    }));
  } finally {
    await bare.stop();
  }
}
