import { isDeepStrictEqual } from 'node:util';
import {
  assertMatches,
  ConflictError,
  ForbiddenError,
  NotFoundError,
} from '@slipway/service-kit';
import type { Constraint, Segment } from '../model/Flag.ts';
import type { LegalValues } from '../model/Registers.ts';
import type {
  SegmentSettings,
  SegmentStore,
  SegmentUse,
} from '../storage/SegmentStore.ts';
import { checkConstraints } from '../flags/checkRules.ts';

/** Returns the entity tag of a segment. */
export function segmentTag({ revision }: Segment): string {
  return `"${revision}"`;
}

interface SegmentAdminOptions {
  segments: SegmentStore;
  legalValues: () => Promise<LegalValues>;
  /** Lists the environments in which changes need approval. */
  protectedEnvironments: () => Promise<readonly string[]>;
  now: () => number;
  /** Called after each commit; refreshes the state in memory. */
  onChanged: () => Promise<void>;
}

/** Changes segments. Methods resolve once the change is committed and visible to clients of this process. */
export class SegmentAdmin {
  readonly #options: SegmentAdminOptions;

  constructor(options: SegmentAdminOptions) {
    this.#options = options;
  }

  list(): Promise<Segment[]> {
    return this.#options.segments.list();
  }

  /** Returns a segment. @throws NotFoundError */
  async get(id: number): Promise<Segment> {
    return (await this.#options.segments.find(id)) ?? fail(id);
  }

  /** Lists the strategies that use a segment. @throws NotFoundError */
  async usesOf(id: number): Promise<SegmentUse[]> {
    await this.get(id);
    return this.#options.segments.uses(id);
  }

  /** Creates a segment. @throws InvalidRequestError; ConflictError if the name is taken. */
  async create(settings: SegmentSettings, by: string): Promise<Segment> {
    const { segments, now, onChanged } = this.#options;
    const legalValues = await this.#options.legalValues();
    checkConstraints(settings.constraints, {
      legalValues,
      path: 'constraints',
    });
    const created = await segments.transaction(
      { by, now: now() },
      async trx => {
        if (await trx.findNamed(settings.name)) {
          refuseName(settings.name);
        }
        return trx.insert(settings);
      },
    );
    await onChanged();
    return created;
  }

  /**
   * Changes the given fields of a segment.
   *
   * @param options.ifMatch - the entity tag that the segment must have, as in `If-Match`.
   * @throws NotFoundError; PreconditionFailedError; ConflictError if the name is taken;
   *   ForbiddenError if the constraints change and a protected environment uses the segment.
   */
  async update(
    id: number,
    changes: Partial<SegmentSettings>,
    { by, ifMatch }: { by: string; ifMatch?: string },
  ): Promise<Segment> {
    const { segments, now, onChanged } = this.#options;
    const legalValues = await this.#options.legalValues();
    const guarded = await this.#options.protectedEnvironments();
    const updated = await segments.transaction(
      { by, now: now() },
      async trx => {
        const before = (await trx.find(id)) ?? fail(id);
        assertMatches(ifMatch, {
          tags: [segmentTag(before)],
          what: `Segment ${before.name}`,
        });
        const { name, description, project, constraints } = before;
        const after = { name, description, project, constraints, ...changes };
        // Existing constraints may have been valid when they were stored.
        const isNew = (constraint: Constraint) =>
          !constraints.some(each => isDeepStrictEqual(each, constraint));
        checkConstraints(after.constraints, {
          isNew,
          legalValues,
          path: 'constraints',
        });
        const namesake = await trx.findNamed(after.name);
        if (namesake && namesake.id !== id) {
          refuseName(after.name);
        }
        const uses = await trx.uses(id);
        const use = uses.find(each => guarded.includes(each.environment));
        if (use && !isDeepStrictEqual(after.constraints, constraints)) {
          throw new ForbiddenError(
            `Flag ${use.featureName} uses the segment in ${use.environment}, which is protected: create another segment, and request that the flag use it instead`,
          );
        }
        return trx.update(before, after);
      },
    );
    await onChanged();
    return updated;
  }

  /** Deletes a segment. @throws NotFoundError; ConflictError if a strategy uses it. */
  async remove(id: number, by: string): Promise<Segment> {
    const { segments, now, onChanged } = this.#options;
    const removed = await segments.transaction(
      { by, now: now() },
      async trx => {
        const segment = (await trx.find(id)) ?? fail(id);
        const [use] = await trx.uses(id);
        if (use) {
          throw new ConflictError(
            `Segment ${segment.name} is used by flag ${use.featureName} in ${use.environment}`,
          );
        }
        await trx.remove(segment);
        return segment;
      },
    );
    await onChanged();
    return removed;
  }
}

function refuseName(name: string): never {
  throw new ConflictError(`A segment with the name ${name} exists`, {
    field: 'name',
    constraint: 'unique',
  });
}

function fail(id: number): never {
  throw new NotFoundError(`Segment ${id} not found`);
}
