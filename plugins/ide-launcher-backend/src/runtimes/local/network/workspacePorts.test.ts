import { parseSocketTable } from './workspacePorts';

describe('parseSocketTable', () => {
  it('reads the sockets that listen', () => {
    const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 4243 1 0 20 4 30 10 -1
`;
    expect(parseSocketTable(table)).toEqual([
      { address: '0100007F', port: 3000, inode: '4242' },
    ]);
  });
});
