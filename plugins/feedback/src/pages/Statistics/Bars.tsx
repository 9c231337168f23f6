import styles from './Statistics.module.css';

/** Counts as bars beside their names and numbers. */
export function Bars(props: {
  bars: readonly { label: string; count: number }[];
}) {
  const { bars } = props;
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <table className={styles.bars}>
      <tbody>
        {bars.map(({ label, count }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td aria-hidden>
              <span
                className={styles.bar}
                style={{ width: `${(count / most) * 100}%` }}
              />
            </td>
            <td className={styles.count}>{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
