import { useRef, useState } from 'react';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { Alert, Checkbox, Link } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { Button } from '@slipway/design-system';
import type { FoundLocation, ImportState } from './importFlow';
import { LocationList } from './LocationList';
import { importPageTranslationRef } from './translation';
import styles from './ImportPage.module.css';

/** Shows the descriptors that were found, lets the user deselect some, and registers the rest. */
export function ReviewStep(props: {
  locations: readonly FoundLocation[];
  pullRequest?: string;
  onBack(): void;
  onDone(next: ImportState): void;
}) {
  const { t } = useTranslationRef(importPageTranslationRef);
  const { locations, pullRequest, onBack, onDone } = props;
  const catalogApi = useApi(catalogApiRef);
  const errorWords = useErrorWords();
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [isPending, setPending] = useState(false);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const chosen = locations.filter(({ target }) => !leftOut.has(target));
  const existing = chosen.filter(({ exists }) => exists);
  // The catalog accepts each location once, so those of a failed attempt are not added again.
  const addedTargets = useRef(new Set<string>());
  const add = async ({ target }: FoundLocation) => {
    if (!addedTargets.current.has(target)) {
      await catalogApi.addLocation({ type: 'url', target });
      addedTargets.current.add(target);
    }
  };
  const register = async () => {
    setPending(true);
    setFailures([]);
    try {
      await Promise.all(
        existing.flatMap(({ entities: [first], origin = first }) =>
          origin ? [catalogApi.refreshEntity(stringifyEntityRef(origin))] : [],
        ),
      );
      const missing = chosen.filter(({ exists }) => !exists);
      const results = await Promise.allSettled(missing.map(add));
      const reasons = results.flatMap((result, index) =>
        result.status === 'rejected'
          ? [{ ...missing[index], reason: errorWords(result.reason) }]
          : [],
      );
      if (reasons.length === 0) {
        const added = missing.map(location => ({ ...location, exists: true }));
        onDone({ step: 'done', added, refreshed: existing });
        return;
      }
      setFailures(
        reasons.map(({ target, reason }) =>
          locations.length > 1 ? t('oneFailed', { target, reason }) : reason,
        ),
      );
    } catch (error) {
      setFailures([errorWords(error)]);
    }
    setPending(false);
  };
  return (
    <>
      {failures.length > 0 && (
        <div role="alert">
          <Alert
            status="danger"
            icon
            title={t('importFailed')}
            description={failures.map(failure => (
              <div key={failure}>{failure}</div>
            ))}
          />
        </div>
      )}
      {pullRequest ? (
        <p>
          <Link href={pullRequest} target="_blank" rel="noopener noreferrer">
            {t('opened')}
          </Link>
          {'. '}
          {t('openedText', {
            target: locations.map(({ target }) => target).join(', '),
          })}
        </p>
      ) : (
        <p>{t(textOf(existing.length, chosen.length))}</p>
      )}
      <LocationList
        title={t('foundTitle', { count: locations.length })}
        locations={locations}
        mark={
          locations.length > 1
            ? ({ target }) => (
                <Checkbox
                  aria-label={target}
                  isSelected={!leftOut.has(target)}
                  onChange={isChosen =>
                    setLeftOut(current => {
                      const next = new Set(current);
                      return isChosen
                        ? (next.delete(target), next)
                        : next.add(target);
                    })
                  }
                />
              )
            : undefined
        }
      />
      <div className={styles.buttons}>
        <Button
          variant="primary"
          isPending={isPending}
          isDisabled={chosen.length === 0}
          onPress={() => void register()}
        >
          {t(
            chosen.length > 0 && existing.length === chosen.length
              ? 'refresh'
              : 'register',
          )}
        </Button>
        {!pullRequest && (
          <Button variant="secondary" onPress={onBack}>
            {t('back')}
          </Button>
        )}
      </div>
    </>
  );
}

function textOf(existing: number, chosen: number) {
  if (existing === 0) {
    return 'foundText';
  }
  return existing === chosen ? 'existsText' : 'someExistText';
}
