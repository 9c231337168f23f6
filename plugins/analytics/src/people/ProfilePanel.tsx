import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from '@backstage/ui';
import { Loaded, type LoadableQuery } from '@slipway/app-react';
import { Details, LoadingRows, SidePanel } from '@slipway/design-system';
import type { Timeline } from '../api/PeopleApi';
import { propertyItems } from './propertyItems';
import { TimelinePages } from './TimelinePages';
import styles from '../analytics.module.css';

/** A hook that queries the events before a place in the timeline; the latest if it is undefined. */
type UseTimeline = (before: string | undefined) => LoadableQuery<Timeline>;

/** Shows a person or a group: details, all properties, events page by page, and deletion. */
export function ProfilePanel<
  T extends { properties: Record<string, unknown> },
>(props: {
  title: string;
  query: LoadableQuery<T>;
  texts: { failed: string; loading: string; delete: string };
  detailsOf(found: T): ComponentProps<typeof Details>['items'];
  useTimeline: UseTimeline;
  /** Returns what is shown between the properties and the events. */
  children?(found: T): ReactNode;
  /** Returns the dialog that confirms the deletion; undefined if the user may not delete. */
  deletion?(found: T, onClose: () => void): ReactNode;
  onClose(): void;
}) {
  const { title, query, texts, detailsOf, children, deletion, onClose } = props;
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <SidePanel title={title} onClose={onClose}>
      <Loaded
        query={query}
        failed={texts.failed}
        loading={<LoadingRows label={texts.loading} rows={4} />}
      >
        {found => (
          <div className={styles.stack}>
            <Details
              items={[...detailsOf(found), ...propertyItems(found.properties)]}
            />
            {children?.(found)}
            <Events useTimeline={props.useTimeline} />
            {deletion && (
              <div>
                <Button
                  size="small"
                  variant="secondary"
                  destructive
                  onPress={() => setIsDeleting(true)}
                >
                  {texts.delete}
                </Button>
              </div>
            )}
            {isDeleting && deletion?.(found, () => setIsDeleting(false))}
          </div>
        )}
      </Loaded>
    </SidePanel>
  );
}

function Events({ useTimeline }: { useTimeline: UseTimeline }) {
  const [before, setBefore] = useState<string>();
  const query = useTimeline(before);
  return <TimelinePages query={query} before={before} onBefore={setBefore} />;
}
