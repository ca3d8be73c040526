// Which hosts a list allows, and the address of one. A name that leads into this machine or its own network is no host of a list, unless
// it is listed as such: otherwise whoever answers for a name could let a command reach what only this machine can.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

export type AllowedAddress = { address: string; port: number };

/** The entry of the list that allows it: `example.org`, `*.example.org`, `example.org:8443`; without a port 80 and 443 are meant. */
export function allowedHost(hosts: readonly string[], host: string, port: number): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.find((entry) => {
    const [wanted = '', ownPort] = entry.toLowerCase().split(':');
    const isPort = ownPort === undefined ? port === 80 || port === 443 : port === Number(ownPort);
    return isPort && (wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) : name === wanted);
  });
}

const inner = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  inner.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inner.addSubnet(net, bits, 'ipv6');

/** What it connects to, so that the name is asked for once; undefined when there is no address that the entry stands for. */
export async function openAddress(entry: string, host: string): Promise<string | undefined> {
  const [wanted = ''] = entry.toLowerCase().split(':');
  if (isIP(host) !== 0) return wanted === host ? host : undefined;
  const found = await lookup(host, { all: true });
  return found.find(({ address }) => wanted === 'localhost' || !isInner(address))?.address;
}

/** Also behind an address of the one kind that stands for one of the other. */
function isInner(address: string): boolean {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return inner.check(mapped, 'ipv4');
  return inner.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
