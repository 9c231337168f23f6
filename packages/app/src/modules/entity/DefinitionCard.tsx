import {
  Component,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { ApiEntity } from '@backstage/catalog-model';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  type ApiDefinitionWidget,
  apiDocsConfigRef,
} from '@backstage/plugin-api-docs';
import {
  useEntity,
  useEntityPresentation,
} from '@backstage/plugin-catalog-react';
import { ToggleButton, ToggleButtonGroup } from '@backstage/ui';
import {
  CopyButton,
  EmptyState,
  LoadingBlock,
  Panel,
} from '@slipway/design-system';
import { entityTranslationRef } from './translation';
import { completeMarkup } from './viewers/completeMarkup';
import styles from './DefinitionCard.module.css';
import './viewers/viewer.css';
import './viewers/openApi.css';
import './viewers/asyncApi.css';
import './viewers/graphQl.css';

/**
 * Shows the definition of an API: formatted by the widget that is installed for its type, such as
 * Swagger UI for OpenAPI, or as its source. Without a widget there is only the source.
 */
export function DefinitionCard() {
  const { t } = useTranslationRef(entityTranslationRef);
  const { entity } = useEntity<ApiEntity>();
  const { primaryTitle: name } = useEntityPresentation(entity);
  const widget = useApi(apiDocsConfigRef).getApiDefinitionWidget(entity);
  const [view, setView] = useState<'formatted' | 'source'>('formatted');
  const { definition, type } = entity.spec;
  if (typeof definition !== 'string' || definition.trim() === '') {
    return (
      <Panel title={t('definition.title')} padded={false}>
        <EmptyState
          level={3}
          title={t('definition.emptyTitle')}
          description={t('definition.emptyText', { name })}
          code={`spec:\n  type: ${type}\n  definition:\n    $text: ./openapi.yaml`}
        />
      </Panel>
    );
  }
  const source = <Source text={definition} />;
  return (
    <Panel
      title={t('definition.title')}
      padded={false}
      action={
        <span className={styles.actions}>
          {widget && (
            <ToggleButtonGroup
              aria-label={t('definition.views')}
              selectionMode="single"
              disallowEmptySelection
              selectedKeys={[view]}
              onSelectionChange={keys =>
                setView(keys.has('source') ? 'source' : 'formatted')
              }
            >
              <ToggleButton id="formatted" size="small">
                {widget.title}
              </ToggleButton>
              <ToggleButton id="source" size="small">
                {t('definition.source')}
              </ToggleButton>
            </ToggleButtonGroup>
          )}
          <CopyButton text={definition} label={t('definition.copy')} />
        </span>
      }
    >
      {widget && view === 'formatted' ? (
        <Formatted
          key={definition}
          widget={widget}
          definition={definition}
          fallback={
            <>
              <p className={styles.notice} role="alert">
                {t('definition.invalid', { type: widget.title })}
              </p>
              {source}
            </>
          }
        />
      ) : (
        source
      )}
    </Panel>
  );
}

/** Shows the text of a definition, which scrolls within the card. */
function Source({ text }: { text: string }) {
  return (
    <div className={styles.source}>
      {/* Scrollable, so it must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** Shows `fallback` if its children throw, as widgets do for definitions that they cannot read. */
class Invalid extends Component<
  { children: ReactNode; fallback: ReactElement },
  { isInvalid: boolean }
> {
  static getDerivedStateFromError() {
    return { isInvalid: true };
  }

  state = { isInvalid: false };

  render() {
    return this.state.isInvalid ? this.props.fallback : this.props.children;
  }
}

function Formatted(props: {
  widget: ApiDefinitionWidget;
  definition: string;
  fallback: ReactElement;
}) {
  const { t } = useTranslationRef(entityTranslationRef);
  const { widget, definition, fallback } = props;
  return (
    <Invalid fallback={fallback}>
      <Suspense
        fallback={<LoadingBlock label={t('definition.loading')} height={480} />}
      >
        <View type={widget.type}>{widget.component(definition)}</View>
      </Suspense>
    </Invalid>
  );
}

/** The container of a viewer, whose markup is completed whenever it changes. */
function View({ type, children }: { type: string; children: ReactNode }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = view.current;
    if (!element) {
      return undefined;
    }
    const complete = () =>
      completeMarkup(element, {
        close: t('definition.close'),
        requestBody: t('definition.requestBody'),
        server: t('definition.server'),
      });
    complete();
    const observer = new MutationObserver(complete);
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [t]);
  return (
    <div className="slw-DefinitionView" data-type={type} ref={view}>
      {children}
    </div>
  );
}
