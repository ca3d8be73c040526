// Which hosts a list allows, and the address of a host. A name that resolves to this machine or its private network is refused unless it is
// listed: otherwise the owner of a DNS name could let a command reach what only this machine can.
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

export type AllowedAddress = { address: string; port: number };

/** The matching entry of the list: `example.org`, `*.example.org`, `example.org:8443`; an entry without a port allows 80 and 443. */
export function allowedHost(hosts: readonly string[], host: string, port: number): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.find((entry) => {
    const [pattern = '', ownPort] = entry.toLowerCase().split(':');
    const isPort = ownPort === undefined ? port === 80 || port === 443 : port === Number(ownPort);
    return isPort && (pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern);
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

/** The address to connect to, so that the name is resolved once; undefined when the name has no address that the entry allows. */
export async function openAddress(entry: string, host: string): Promise<string | undefined> {
  const [pattern = ''] = entry.toLowerCase().split(':');
  if (isIP(host) !== 0) return pattern === host ? host : undefined;
  const addresses = await lookup(host, { all: true });
  return addresses.find(({ address }) => pattern === 'localhost' || !isInner(address))?.address;
}

/** Also detects an IPv4 address inside an IPv6 address. */
function isInner(address: string): boolean {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return inner.check(mapped, 'ipv4');
  return inner.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
