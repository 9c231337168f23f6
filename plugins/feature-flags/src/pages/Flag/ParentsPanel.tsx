import { useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link } from '@backstage/ui';
import { SendFailure, useErrorWords, useUndoToast } from '@slipway/app-react';
import { ConfirmDialog, Panel, useFocusNearby } from '@slipway/design-system';
import type { Dependency, Flag, FlagEnvironment } from '../../api/flags';
import { useRemoveDependency, useSetDependency } from '../../queries/flags';
import { useMayChange } from '../../queries/access';
import { useLinks } from '../../routes';
import { flagsTranslationRef, type Translate } from '../../translation';
import { ParentDialog } from './ParentDialog';
import styles from './Flag.module.css';

/** The flags that a flag depends on, in all environments. */
export function ParentsPanel(props: {
  flag: Flag;
  environments: readonly FlagEnvironment[];
}) {
  const { flag, environments } = props;
  const { dependencies = [] } = flag;
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const errorWords = useErrorWords();
  const undoToast = useUndoToast();
  const isEditable = useMayChange(flag.project) && !flag.archived;
  const [edited, setEdited] = useState<Dependency | 'new'>();
  const [removed, setRemoved] = useState<Dependency>();
  const { mutate: restore, error: restoreError } = useSetDependency(flag);
  const remove = useRemoveDependency(flag);
  const list = useRef<HTMLUListElement>(null);
  useFocusNearby(list);
  const error = restoreError ?? (removed ? null : remove.error);
  // The production environment in which the flag is on, if any.
  const production = environments.find(
    ({ type, enabled }) => type === 'production' && enabled,
  )?.name;
  const onRemove = async (dependency: Dependency) => {
    const { feature: name } = dependency;
    await remove.mutateAsync(name);
    undoToast(t('parents.removed', { name }), () => restore(dependency));
  };
  return (
    <Panel
      title={t('parents.title')}
      action={
        isEditable && (
          <Button
            size="small"
            variant="secondary"
            onPress={() => setEdited('new')}
          >
            {t('parents.add')}
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        {error && <SendFailure title={t('parents.failed')} error={error} />}
        {dependencies.length === 0 ? (
          <p className={styles.quiet}>{t('parents.none')}</p>
        ) : (
          <ul ref={list} className={styles.rows}>
            {dependencies.map(dependency => {
              const { feature: name } = dependency;
              return (
                <li key={name} className={styles.row}>
                  <Link className={styles.change} href={links.flag(name)}>
                    {dependencyText(dependency, t)}
                  </Link>
                  {isEditable && (
                    <span className={styles.rowActions}>
                      <Button
                        size="small"
                        variant="tertiary"
                        aria-label={t('parents.editNamed', { name })}
                        onPress={() => setEdited(dependency)}
                      >
                        {t('parents.edit')}
                      </Button>
                      <Button
                        size="small"
                        variant="tertiary"
                        aria-label={t('parents.removeNamed', { name })}
                        onPress={() =>
                          production
                            ? setRemoved(dependency)
                            : onRemove(dependency).catch(() => {})
                        }
                      >
                        {t('parents.remove')}
                      </Button>
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </div>
      {edited && (
        <ParentDialog
          flag={flag}
          dependency={edited === 'new' ? undefined : edited}
          production={production}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ConfirmDialog
        isOpen={removed !== undefined}
        onOpenChange={isOpen => !isOpen && setRemoved(undefined)}
        title={t('parents.removeTitle', { name: removed?.feature ?? '' })}
        confirmLabel={t('parents.remove')}
        destructive={false}
        describeError={errorWords}
        onConfirm={async () => {
          if (removed) {
            await onRemove(removed);
          }
        }}
      >
        {t('parents.production', { environment: production ?? '' })}
      </ConfirmDialog>
    </Panel>
  );
}

function dependencyText(
  { feature: name, enabled, variants = [] }: Dependency,
  t: Translate,
): string {
  if (variants.length > 0) {
    return t('parents.hasVariant', { name, variants: variants.join(', ') });
  }
  return t(enabled ? 'parents.isOn' : 'parents.isOff', { name });
}
