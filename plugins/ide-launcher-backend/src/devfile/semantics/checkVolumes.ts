import { DevfileFault, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';

/** Volume mounts name a volume component. */
export function checkVolumeMounts(devfile: RawDevfile): DevfileFault[] {
  const { components = [] } = devfile;
  const volumes = new Set(
    components.filter(({ volume }) => volume).map(({ name }) => name),
  );
  return components.flatMap(({ container }, index) =>
    (container?.volumeMounts ?? []).flatMap(({ name }, position) =>
      volumes.has(name)
        ? []
        : [
            {
              path: [
                'components',
                index,
                'container',
                'volumeMounts',
                position,
                'name',
              ],
              message: `no volume component named ${quote(name)}`,
            },
          ],
    ),
  );
}
