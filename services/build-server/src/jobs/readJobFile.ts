import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import { checkJob, type JobRules } from './checkJob.ts';
import type { Job } from './Job.ts';
import type { JobCache, JobService } from './JobParts.ts';
import { type PlannedStep, planSteps } from './planSteps.ts';

/** A fault in a job file. */
export interface JobFault {
  /** A sentence for people, which begins with the invalid key. */
  message: string;
  /** Line of the key or of its nearest parent, from 1. */
  line: number;
  column: number;
}

/** Limits the time to parse untrusted files. */
const MAX_BYTES = 65_536;
/** Further errors would not help. */
const MAX_FAULTS = 50;

/**
 * Reads a job file: a single YAML 1.2 document, checked against the schema and the rules.
 *
 * @returns the job, or all faults of the file.
 */
export function readJobFile(
  text: string,
  rules: JobRules,
): { job: Job } | { faults: JobFault[]; name?: string } {
  const begin = { line: 1, column: 1 };
  if (Buffer.byteLength(text) > MAX_BYTES) {
    const message = `The file is larger than ${MAX_BYTES} bytes`;
    return { faults: [{ message, ...begin }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    // Its own check compares every key with all others.
    uniqueKeys: false,
    prettyErrors: false,
  });
  const malformed = [
    ...document.errors,
    ...document.warnings,
    ...repeatedKeys(document),
  ].slice(0, MAX_FAULTS);
  if (document.directives?.yaml.explicit) {
    const message = 'The file must have no %YAML directive: it is YAML 1.2';
    return { faults: [{ message, ...begin }] };
  }
  if (malformed.length > 0) {
    return {
      faults: malformed.map(({ message, pos }) => ({
        message: message.split('\n')[0].split(' at line ')[0],
        ...placeOf(lines, pos[0]),
      })),
    };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return { faults: [{ message: (error as Error).message, ...begin }] };
  }
  const checked = checkJob(value, rules);
  if ('job' in checked) {
    return checked;
  }
  const { name } = (value ?? {}) as { name?: unknown };
  return {
    name: typeof name === 'string' ? name : undefined,
    faults: checked.faults.map(({ at, message }) => ({
      message,
      ...placeOf(lines, offsetOf(document, at)),
    })),
  };
}

/** Finds keys that are repeated in a mapping, each at its second occurrence. */
function repeatedKeys(
  document: Document,
): { message: string; pos: [number, number] }[] {
  const found: { message: string; pos: [number, number] }[] = [];
  visit(document, {
    Map(_position, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (isScalar(key) && key.value !== '<<') {
          if (keys.has(key.value)) {
            const [at = 0] = key.range ?? [];
            found.push({ message: 'Map keys must be unique', pos: [at, at] });
          }
          keys.add(key.value);
        }
      }
    },
  });
  return found;
}

function placeOf(
  lines: LineCounter,
  offset: number,
): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** Finds the offset of a dotted path in a document, or that of its nearest parent. */
function offsetOf(document: Document, at: string): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const name of at.split('.').filter(Boolean)) {
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isNode(key) && String(key) === name,
      );
      if (!isPair(pair)) {
        return offset;
      }
      offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else if (isSeq(node) && isNode(node.items[Number(name)])) {
      node = node.items[Number(name)];
      offset = isNode(node) ? (node.range?.[0] ?? offset) : offset;
    } else {
      return offset;
    }
  }
  return offset;
}

/** The pipelines of a commit. */
interface Pipelines {
  plan: PlannedStep[];
  junit: string[];
  artifacts: string[];
  cache: JobCache[];
  services: JobService[];
  /** Invalid files, which are skipped. */
  faulty: { file: string; message: string }[];
}

/** Default folder of the pipeline files in a repository. */
export const PIPELINE_FOLDER = '.slipway';

/**
 * Reads the pipelines of the commit that is checked out, each of which is a job file
 * whose steps run in parallel to those of the others.
 *
 * @param place - finds the files of the checkout that match globs.
 * @param job - the server's job of the repository.
 */
export async function readPipelines(
  place: {
    read(globs: readonly string[]): Promise<{ path: string; text: string }[]>;
  },
  job: Job,
  rules: Omit<JobRules, 'repositoryOf'>,
): Promise<Pipelines> {
  const folder = job.pipelines?.folder ?? PIPELINE_FOLDER;
  const files = await place.read([`${folder}/*.yaml`, `${folder}/*.yml`]);
  const [repositoryOf] = job.name.split('/');
  const pipelines: Pipelines = {
    plan: [],
    junit: [],
    artifacts: [],
    cache: [],
    services: [],
    faulty: [],
  };
  const isOne = files.length === 1;
  files.sort((one, other) => one.path.localeCompare(other.path));
  for (const { path: file, text } of files) {
    const read = readJobFile(text, { ...rules, repositoryOf });
    if ('faults' in read) {
      const [{ message, line, column }] = read.faults;
      const where = `line ${line}, column ${column}: ${message}`;
      pipelines.faulty.push({ file, message: where });
      continue;
    }
    const { name, environment, steps, junit = [], artifacts = [] } = read.job;
    const planned = planSteps(steps);
    const before = pipelines.plan.length;
    for (const one of 'plan' in planned ? planned.plan : []) {
      pipelines.plan.push({
        ...one,
        name: isOne ? one.name : `${name}: ${one.name}`,
        step: {
          ...one.step,
          environment: { ...environment, ...one.step.environment },
        },
        needs: one.needs.map(need => need + before),
      });
    }
    pipelines.junit.push(...junit);
    pipelines.artifacts.push(...artifacts);
    // Pipelines may share a cache; each has its own services.
    const { cache = [], services = [] } = read.job;
    const names = new Set(pipelines.cache.map(one => one.name));
    pipelines.cache.push(...cache.filter(one => !names.has(one.name)));
    pipelines.services.push(...services);
  }
  return pipelines;
}
