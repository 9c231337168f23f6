import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Switch } from '@backstage/ui';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type { FlagEnvironment, FlagName } from '../api/flags';
import { useChangeEnvironment } from '../queries/flags';
import { flagsTranslationRef } from '../translation';
import { ChangeRequestSent } from './ChangeRequestList';

/**
 * Turns a flag on and off in one environment. In production it asks for confirmation; in a
 * protected environment it creates a change request.
 */
export function EnvironmentSwitch(props: {
  flag: FlagName;
  environment: FlagEnvironment;
  /** True in a table cell, which has no room for a visible label. */
  isCompact?: boolean;
}) {
  const { flag, environment, isCompact } = props;
  const { name, type, enabled } = environment;
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const [wanted, setWanted] = useState<boolean>();
  const change = useChangeEnvironment(flag);
  const { isPending, variables, error, data: request } = change;
  const asks = type === 'production' || environment.protected;
  const set = (isOn: boolean) =>
    change.mutateAsync({ environment: name, enabled: isOn });
  const label = t(enabled ? 'environments.isOn' : 'environments.isOff', {
    environment: name,
  });
  const texts = { name: flag.name, environment: name };
  // Optimistic until the response arrives.
  const isSelected = isPending ? variables.enabled : enabled;
  const onChange = (isOn: boolean) =>
    asks ? setWanted(isOn) : set(isOn).catch(() => {});
  return (
    <>
      {isCompact ? (
        <Switch
          aria-label={t('environments.switch', texts)}
          isSelected={isSelected}
          isReadOnly={isPending}
          onChange={onChange}
        />
      ) : (
        <Switch
          label={label}
          isSelected={isSelected}
          isReadOnly={isPending}
          onChange={onChange}
        />
      )}
      {error && !asks && (
        <SendFailure
          title={t('environments.changeFailed', { environment: name })}
          error={error}
        />
      )}
      {request && <ChangeRequestSent request={request} />}
      <ConfirmDialog
        isOpen={wanted !== undefined}
        onOpenChange={isOpen => !isOpen && setWanted(undefined)}
        title={t(
          wanted ? 'environments.onTitle' : 'environments.offTitle',
          texts,
        )}
        confirmLabel={
          environment.protected
            ? t('environments.request')
            : t(wanted ? 'environments.turnOn' : 'environments.turnOff')
        }
        destructive={false}
        describeError={errorWords}
        onConfirm={async () => {
          await set(wanted ?? enabled);
        }}
      >
        {environment.protected
          ? t('environments.requestText', texts)
          : t('environments.productionText', texts)}
      </ConfirmDialog>
    </>
  );
}
