import { useEffect, useState } from 'react';
import {
  type ComponentRoutes,
  componentRoutes,
  type StorybookIndex,
} from '../routes/componentRoutes';

/** Lists every component with links to its documentation and stories. */
export function ComponentList() {
  const [components, setComponents] = useState<readonly ComponentRoutes[]>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    readComponents().then(setComponents, () => setFailed(true));
  }, []);

  if (failed) {
    return <p role="alert">Couldn't load the components. Reload the page.</p>;
  }
  return (
    <ul>
      {components?.map(({ slug, title }) => (
        <li key={slug}>
          <a href={`docs/${slug}`} target="_top">
            {title}
          </a>{' '}
          (
          <a
            href={`story/${slug}`}
            target="_top"
            aria-label={`Stories of ${title}`}
          >
            stories
          </a>
          )
        </li>
      ))}
    </ul>
  );
}

async function readComponents(): Promise<ComponentRoutes[]> {
  const answer = await fetch('index.json');
  const index = (await answer.json()) as StorybookIndex;
  return componentRoutes(Object.values(index.entries)).sort((a, b) =>
    a.title.localeCompare(b.title),
  );
}
