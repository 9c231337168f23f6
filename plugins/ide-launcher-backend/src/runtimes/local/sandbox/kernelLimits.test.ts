import { withinKernelLimits } from './isolation';

const TABLE = `Limit                     Soft Limit           Hard Limit           Units     
Max core file size        0                    unlimited            bytes     
Max processes             500                  96365                processes 
Max open files            1024                 20000                files     
Max locked memory         8388608              8388608              bytes     
`;

describe('withinKernelLimits', () => {
  it('uses the wanted limits if the kernel allows them', () => {
    const wanted = { processes: 1_024, openFiles: 4_096 };
    expect(withinKernelLimits(wanted, TABLE)).toEqual(wanted);
  });

  it('does not exceed the hard limits', () => {
    expect(
      withinKernelLimits({ processes: 100_000, openFiles: 65_536 }, TABLE),
    ).toEqual({ processes: 96_365, openFiles: 20_000 });
  });

  it('treats a missing limit as unlimited', () => {
    const table = TABLE.replace('96365', 'unlimited');
    expect(
      withinKernelLimits({ processes: 100_000, openFiles: 10 }, table),
    ).toEqual({ processes: 100_000, openFiles: 10 });
  });
});
