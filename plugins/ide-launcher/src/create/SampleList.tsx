import { Card, CardBody, Text } from '@backstage/ui';
import type { DevfileSample } from '@slipway/plugin-ide-launcher-common';
import styles from './create.module.css';

/** Lists the configured sample devfiles. */
export function SampleList(props: {
  samples: readonly DevfileSample[];
  onSelect: (devfileUrl: string) => void;
}) {
  return (
    <ul className={styles.samples}>
      {props.samples.map(sample => (
        <li key={sample.devfileUrl}>
          <Card
            label={sample.title}
            onPress={() => props.onSelect(sample.devfileUrl)}
            className={styles.sample}
          >
            <CardBody>
              <Text as="p" weight="bold">
                {sample.title}
              </Text>
              <Text as="p" variant="body-small" color="secondary">
                {sample.description}
              </Text>
            </CardBody>
          </Card>
        </li>
      ))}
    </ul>
  );
}
