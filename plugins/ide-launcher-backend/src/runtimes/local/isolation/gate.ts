/** File descriptors of bubblewrap's messages, see `NetworkGate`. */
export const INFO_FD = 3;
export const BLOCK_FD = 4;

/** slirp4netns answers names there, as the resolver of this machine does. */
export const SLIRP_NAMESERVER = '10.0.2.3';

/** The way out of a sandbox that slirp4netns gives a network. */
export const SLIRP_GATEWAY = '10.0.2.2';
