import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { isConflict, SendFailure } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type {
  FlagEnvironment,
  FlagName,
  Rules,
  Strategy,
  Variant,
} from '../../api/flags';
import { trimmed } from '../../components/ConstraintsEditor';
import {
  newStrategy,
  strategyText,
  swapped,
} from '../../components/strategies';
import { trimmedVariants, variantDetails } from '../../components/variants';
import { VariantsEditor } from '../../components/VariantsEditor';
import type { useChangeEnvironment } from '../../queries/flags';
import { useSegmentNames } from '../../queries/registers';
import { flagsTranslationRef } from '../../translation';
import { ConflictDialog } from './ConflictDialog';
import { CopyRulesMenu } from './CopyRulesMenu';
import { StrategyEditor } from './StrategyEditor';
import styles from './Flag.module.css';

/**
 * Edits the rules and variants of a flag in one environment. The draft is kept until it is saved, even
 * if the flag is refetched in the meantime. If others have saved something since, both versions are
 * shown before one of them is lost.
 */
export function StateEditor(props: {
  flag: FlagName;
  environment: FlagEnvironment;
  /** The flag in the other environments, whose rules can be copied. */
  others: readonly FlagEnvironment[];
  change: ReturnType<typeof useChangeEnvironment>;
  onClose(): void;
}) {
  const { flag, environment, others, change, onClose } = props;
  const { mutate, error, isPending, reset } = change;
  const { t } = useTranslationRef(flagsTranslationRef);
  const [{ strategies, variants }, setDraft] = useState<Rules>(environment);
  // The state that the draft is based on.
  const [began] = useState(environment);
  const [isAsking, setIsAsking] = useState(false);
  const setStrategies = (changed: readonly Strategy[]) =>
    setDraft({ strategies: changed, variants });
  const save = (etag: string) =>
    mutate(
      {
        environment: environment.name,
        strategies: strategies.map(trimmedStrategy),
        ...(!isSame(variants, began.variants) && {
          variants: trimmedVariants(variants),
        }),
        etag,
      },
      { onSuccess: onClose },
    );
  const saveOnBase = () => save(baseTag(began, environment));
  const discard = () => {
    reset();
    onClose();
  };
  const hasChanged = isConflict(error);
  const isProduction =
    environment.type === 'production' && !environment.protected;
  return (
    <>
      {error && !hasChanged && (
        <SendFailure title={t('rollout.failed')} error={error} />
      )}
      <p className={styles.quiet}>
        {t(strategies.length === 0 ? 'rollout.none' : 'rollout.any')}
      </p>
      <ul className={styles.strategies}>
        {strategies.map((strategy, index) => (
          // New rules have no ids, so their index identifies them.
          <li key={index}>
            <StrategyEditor
              flag={flag.name}
              strategy={strategy}
              onChange={changed =>
                setStrategies(strategies.with(index, changed))
              }
              onRemove={() => setStrategies(strategies.toSpliced(index, 1))}
              {...(index > 0 && {
                onMoveUp: () => setStrategies(swapped(strategies, index - 1)),
              })}
              {...(index < strategies.length - 1 && {
                onMoveDown: () => setStrategies(swapped(strategies, index)),
              })}
            />
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button
          size="small"
          variant="tertiary"
          onPress={() =>
            setStrategies([
              ...strategies,
              // Matches no one yet, so that saving it by mistake changes nothing.
              newStrategy('flexibleRollout', { flag: flag.name, share: 0 }),
            ])
          }
        >
          {t('rollout.add')}
        </Button>
        <CopyRulesMenu environments={others} onCopy={setDraft} />
      </div>
      <VariantsEditor
        title={t('rollout.flagVariants')}
        help={t('rollout.flagVariantsHelp')}
        addLabel={t('variant.addToFlag')}
        variants={variants}
        onChange={changed => setDraft({ strategies, variants: changed })}
      />
      <div className={styles.actions}>
        <Button
          variant="primary"
          isPending={isPending}
          onPress={() => (isProduction ? setIsAsking(true) : saveOnBase())}
        >
          {t(environment.protected ? 'rollout.request' : 'rollout.save')}
        </Button>
        <Button variant="secondary" onPress={discard}>
          {t('rollout.discard')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('rollout.productionTitle', { environment: environment.name })}
        confirmLabel={t('rollout.save')}
        destructive={false}
        onConfirm={saveOnBase}
      >
        {t('environments.productionText', { environment: environment.name })}
      </ConfirmDialog>
      {hasChanged && (
        <ConflictDialog
          name={flag.name}
          subject="rules"
          saved={<RuleLines rules={environment} />}
          draft={<RuleLines rules={{ strategies, variants }} />}
          onOverwrite={() => save(environment.etag)}
          onDiscard={discard}
          onClose={reset}
        />
      )}
    </>
  );
}

/** Every detail of rules and variants, one line each. */
function RuleLines({ rules: { strategies, variants } }: { rules: Rules }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const segmentNames = useSegmentNames();
  return (
    <>
      {strategies.length === 0 ? (
        <p>{t('conflict.rules.everyone')}</p>
      ) : (
        <ul>
          {strategies.map((strategy, index) => (
            <li key={index}>{strategyText(strategy, segmentNames)}</li>
          ))}
        </ul>
      )}
      {variants.length > 0 && (
        <p>
          {t('rollout.flagVariantsOf', {
            names: variants.map(variantDetails).join('; '),
          })}
        </p>
      )}
    </>
  );
}

/**
 * Returns the entity tag to save a draft with: the current one if rules and variants have not changed,
 * so that turning a flag on or off does not count as a conflict.
 */
function baseTag(began: FlagEnvironment, now: FlagEnvironment): string {
  return isSame(began.strategies, now.strategies) &&
    isSame(began.variants, now.variants)
    ? now.etag
    : began.etag;
}

function isSame(
  one: readonly (Strategy | Variant)[],
  other: readonly (Strategy | Variant)[],
): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function trimmedStrategy(strategy: Strategy): Strategy {
  const { constraints, variants } = strategy;
  return {
    ...strategy,
    ...(constraints && { constraints: trimmed(constraints) }),
    ...(variants && { variants: trimmedVariants(variants) }),
  };
}
