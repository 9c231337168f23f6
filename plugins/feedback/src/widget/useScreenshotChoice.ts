import { useCallback, useState } from 'react';
import { readAsDataUrl } from '../api/readAsDataUrl';

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const MAXIMUM_BYTES = 5 * 1024 * 1024;

/** What is wrong with a chosen file. */
export type ScreenshotProblem =
  { kind: 'notAnImage' } | { kind: 'tooLarge'; megabytes: string };

/** The image that goes with a form; the service looks at its bytes again. */
export function useScreenshotChoice() {
  const [dataUrl, setDataUrl] = useState<string>();
  const [problem, setProblem] = useState<ScreenshotProblem>();
  const choose = useCallback(async (file: File) => {
    if (!TYPES.includes(file.type)) {
      setProblem({ kind: 'notAnImage' });
    } else if (file.size > MAXIMUM_BYTES) {
      const megabytes = (file.size / (1024 * 1024)).toFixed(1);
      setProblem({ kind: 'tooLarge', megabytes });
    } else {
      setDataUrl(await readAsDataUrl(file));
      setProblem(undefined);
    }
  }, []);
  const remove = useCallback(() => {
    setDataUrl(undefined);
    setProblem(undefined);
  }, []);
  return { dataUrl, problem, choose, remove };
}
