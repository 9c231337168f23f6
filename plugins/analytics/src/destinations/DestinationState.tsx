import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { Destination } from '../api/DestinationsApi';
import { analyticsTranslationRef } from '../translation';

type State = 'unreadable' | 'paused' | 'failing' | 'sending' | 'waiting';

const TONES: Record<State, Tone> = {
  unreadable: 'danger',
  paused: 'neutral',
  failing: 'danger',
  sending: 'success',
  waiting: 'neutral',
};

/** Shows whether a destination receives events. */
export function DestinationState(props: { destination: Destination }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const state = stateOf(props.destination);
  return (
    <StatusBadge
      tone={TONES[state]}
      label={t(`destinations.states.${state}`)}
    />
  );
}

function stateOf(destination: Destination): State {
  if (!destination.is_readable) {
    return 'unreadable';
  }
  if (destination.paused) {
    return 'paused';
  }
  if (destination.failures > 0) {
    return 'failing';
  }
  return destination.delivered > 0 ? 'sending' : 'waiting';
}
