import { closedNetworks, samplesOf, toNetwork } from './NetworkGate';

const OWN = ['192.168.1.7'];

describe('closedNetworks', () => {
  it("blocks private networks, the machine's own addresses and cloud metadata", () => {
    const closed = closedNetworks([], OWN);
    expect(closed).toContain('192.168.0.0/16');
    expect(closed).toContain('192.168.1.7/32');
    expect(samplesOf(closed)).toEqual(
      expect.arrayContaining(['169.254.169.254', '168.63.129.16', '10.0.0.1']),
    );
  });

  it('opens what the operator lists, and the machine itself only by name', () => {
    const closed = closedNetworks(['192.168.0.0/16', '10.0.0.0/7'], OWN);
    expect(closed).not.toContain('192.168.0.0/16');
    expect(closed).not.toContain('10.0.0.0/8');
    expect(closed).toContain('192.168.1.7/32');
    expect(closedNetworks(['192.168.1.7/32'], OWN)).not.toContain(
      '192.168.1.7/32',
    );
    // Only a part of it: the rest stays closed.
    expect(closedNetworks(['10.20.0.0/16'], OWN)).toContain('10.0.0.0/8');
  });

  it.each([
    ['10.20.0.0/16', '10.20.0.0/16'],
    ['10.1.2.3', '10.1.2.3/32'],
    ['10.1.2.3/33', undefined],
    ['10.1.2', undefined],
    ['git.internal', undefined],
    ['::1', undefined],
  ])('reads %s as %s', (text, network) => {
    expect(toNetwork(text)).toBe(network);
  });
});
