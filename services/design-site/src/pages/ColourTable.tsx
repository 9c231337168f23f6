import { colors, contrastRatio, type ModeColors } from '@slipway/design-system';

/** Text colours and border colours. */
const TEXTS = [
  'text',
  'muted',
  'accent',
  'success',
  'warning',
  'danger',
  'info',
] as const;
const BORDERS = ['control'] as const;
const FILLS = ['app', 'surface', 'raised', 'line'] as const;

/** Lists every colour in both modes, with its contrast. */
export function ColourTable() {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">Light</th>
          <th scope="col">Dark</th>
        </tr>
      </thead>
      <tbody>
        {[...TEXTS, ...BORDERS, ...FILLS].map(name => (
          <tr key={name}>
            <td>
              <code>--slipway-{name}</code>
            </td>
            <td>
              <Swatch name={name} mode={colors.light} />
            </td>
            <td>
              <Swatch name={name} mode={colors.dark} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Swatch(props: {
  name: (typeof TEXTS | typeof BORDERS | typeof FILLS)[number];
  mode: ModeColors;
}) {
  const { name, mode } = props;
  const color = mode[name];
  const isFill = FILLS.some(fill => fill === name);
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
      <span
        aria-hidden
        style={{
          width: 24,
          height: 24,
          borderRadius: 6,
          border: `1px solid ${mode.control}`,
          background: color,
        }}
      />
      <code>{color}</code>
      {!isFill && (
        <span>{contrastRatio(color, mode.surface).toFixed(1)} : 1</span>
      )}
    </span>
  );
}
