/** The packages of others that are inside the program: their licences as notices, and all of them as a bill of materials. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package in the bundle, or one that npm installs beside it where it can. */
export type Component = {
  name: string;
  version: string;
  license: string;
  /** The integrity in npm's lockfile, such as `sha512-…`. */
  integrity: string | undefined;
  home: string | undefined;
  /** Texts of its licence and notice files. */
  texts: string[];
  isBundled: boolean;
};

type Manifest = {
  name: string;
  version: string;
  license?: string;
  homepage?: string;
  repository?: string | { url?: string };
};
type Lock = { packages: Record<string, { integrity?: string }> };

export function readComponents(root: string, folders: readonly string[], isBundled: boolean): Component[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const found = folders.map((folder): Component => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
    const { name, version, license } = manifest;
    if (license === undefined) throw new Error(`${folder}: no licence, so it can't be distributed`);
    const texts = licenceTexts(join(root, folder));
    return {
      name,
      version,
      license,
      integrity: packages[folder]?.integrity,
      home: homeOf(manifest),
      texts,
      isBundled,
    };
  });
  return uniqueByVersion(found);
}

function licenceTexts(folder: string): string[] {
  const names = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .toSorted();
  return names.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}

function homeOf({ homepage, repository }: Manifest): string | undefined {
  const url = homepage ?? (typeof repository === 'string' ? repository : repository?.url);
  const web = url?.replace(/^git\+|\.git$/g, '').replace(/^(git|ssh):\/\/(git@)?/, 'https://');
  return web !== undefined && /^https?:\/\/[\w./#@%~-]+$/.test(web) ? web : undefined;
}

/** One package may be in several folders. */
function uniqueByVersion(components: readonly Component[]): Component[] {
  const known = new Map(components.map((component) => [`${component.name}@${component.version}`, component]));
  return [...known.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component);
}

export function writeNotices(program: string, components: readonly Component[]): string {
  const rule = '-'.repeat(80);
  const bundled = components.filter(({ isBundled }) => isBundled);
  const parts = bundled.map(({ name, version, license, home, texts }) =>
    [
      `${name} ${version} (${license})`,
      ...(home ? [home] : []),
      '',
      ...(texts.length > 0
        ? texts
        : [`No licence file came with it: https://spdx.org/licenses/${license}.html`]),
    ].join('\n'),
  );
  const head = `${program} contains code of the ${bundled.length} packages below, under their own licences.`;
  return `${[head, ...parts].join(`\n\n${rule}\n`)}\n`;
}

/**
 * CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json/. Without a date, and with a serial number derived from the content, so that builds
 * are reproducible.
 */
export function writeSbom(
  { name, version, license }: { name: string; version: string; license: string },
  components: readonly Component[],
): string {
  const self = {
    type: 'application',
    'bom-ref': purl(name, version),
    name,
    version,
    purl: purl(name, version),
    ...licences(license),
  };
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: self },
    components: components.map(describe),
    dependencies: [
      {
        ref: self['bom-ref'],
        dependsOn: components.map((component) => purl(component.name, component.version)),
      },
    ],
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bom))}`;
  return `${JSON.stringify({ ...bom, serialNumber }, null, 2)}\n`;
}

function describe({ name, version, license, integrity, home, isBundled }: Component): object {
  const [group, plainName] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const [algorithm, digest = ''] = integrity?.split('-', 2) ?? [];
  return {
    type: 'library',
    'bom-ref': purl(name, version),
    ...(group && { group }),
    name: plainName,
    version,
    scope: isBundled ? 'required' : 'optional',
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
    ...licences(license),
    purl: purl(name, version),
    ...(home && { externalReferences: [{ type: 'website', url: home }] }),
  };
}

function licences(license: string): object {
  return { licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }] };
}

function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** A UUID made from a digest: version 8 of RFC 9562. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
