import { useEffect, useState } from 'react';
import {
  pageRoutes,
  type PageRoutes,
  type StorybookIndex,
} from '../routes/pageRoutes';

/** Lists every component with links to its documentation and stories. */
export function ComponentList() {
  const [components, setComponents] = useState<readonly PageRoutes[]>();
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

async function readComponents(): Promise<PageRoutes[]> {
  const answer = await fetch('index.json');
  const index = (await answer.json()) as StorybookIndex;
  return pageRoutes(Object.values(index.entries)).filter(
    ({ story }) => story !== undefined,
  );
}
