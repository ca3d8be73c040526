/** The VS Code extension as a .vsix: its manifest, the built files, its texts, and the two files that identify the archive to an editor. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrograms } from './native-programs.ts';
import type { PackedFile } from './tarball.ts';
import { readComponents, writeNotices } from './third-party.ts';
import { makeZip } from './zip.ts';

export type Vsix = { name: string; bytes: Buffer; files: number };

type Manifest = {
  name: string;
  displayName: string;
  version: string;
  publisher: string;
  engines: { vscode: string };
  categories: string[];
  keywords: string[];
  extensionKind: string[];
  icon: string;
};

/** Files of apps/vscode; sources, tests and build settings are left out. */
const shipped = [
  'package.nls*.json',
  'dist/*.js',
  'dist/webview/*',
  'l10n/*',
  'media/*',
  'walkthrough/*',
  'README.md',
];

const languages = ['en', 'ru', 'zh-cn'];

export function makeVsix(root: string): Vsix {
  const app = join(root, 'apps', 'vscode');
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as Manifest &
    Record<string, unknown>;
  // Build dependencies are bundled.
  const { devDependencies: _, ...published } = manifest;
  const programs = nativePrograms(root, 'extension/dist');
  const names = globSync(shipped, { cwd: app }).map((name) => name.replaceAll('\\', '/'));
  const texts: PackedFile[] = [
    { name: 'extension.vsixmanifest', contents: Buffer.from(packageManifest(manifest, describe(app))) },
    { name: '[Content_Types].xml', contents: Buffer.from(contentTypes(names, programs)) },
    { name: 'extension/package.json', contents: Buffer.from(`${JSON.stringify(published, null, 2)}\n`) },
    { name: 'extension/LICENSE.txt', contents: readFileSync(join(root, 'LICENSE')) },
    { name: 'extension/NOTICES.txt', contents: Buffer.from(noticesOf(root, app)) },
  ];
  const files = names.map((name) => ({ name: `extension/${name}`, contents: readFileSync(join(app, name)) }));
  const { name, version } = manifest;
  return {
    name: `${name}-${version}.vsix`,
    bytes: makeZip([...texts, ...files, ...programs]),
    files: texts.length + files.length + programs.length,
  };
}

function noticesOf(root: string, app: string): string {
  const file = join(app, 'dist', 'packages.json');
  const folders = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : [];
  return writeNotices('CodeLab for VS Code', readComponents(root, folders, true));
}

function describe(app: string): string {
  const words = JSON.parse(readFileSync(join(app, 'package.nls.json'), 'utf8')) as { description: string };
  return words.description;
}

function packageManifest(manifest: Manifest, description: string): string {
  const { name, version, publisher, displayName, engines, categories, keywords, extensionKind, icon } =
    manifest;
  const property = (id: string, value: string): string =>
    `      <Property Id="Microsoft.VisualStudio.Code.${id}" Value="${escaped(value)}" />`;
  const asset = (type: string, path: string): string =>
    `    <Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${path}" Addressable="true" />`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${version}" Publisher="${escaped(publisher)}" />
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped(keywords.join(','))}</Tags>
    <Categories>${escaped(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
${[
  property('Engine', engines.vscode),
  property('ExtensionDependencies', ''),
  property('ExtensionPack', ''),
  property('ExtensionKind', extensionKind.join(',')),
  property('LocalizedLanguages', languages.join(',')),
  property('ExecutesCode', 'true'),
].join('\n')}
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/${icon}</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
${[
  asset('Code.Manifest', 'package.json'),
  asset('Services.Content.Details', 'README.md'),
  asset('Services.Content.License', 'LICENSE.txt'),
  asset('Services.Icons.Default', icon),
].join('\n')}
  </Assets>
</PackageManifest>
`;
}

const types: Record<string, string> = {
  json: 'application/json',
  vsixmanifest: 'text/xml',
  js: 'application/javascript',
  css: 'text/css',
  md: 'text/markdown',
  txt: 'text/plain',
  png: 'image/png',
  svg: 'image/svg+xml',
};

/** A program's name has no extension, so it is named itself. */
function contentTypes(names: readonly string[], programs: readonly PackedFile[]): string {
  const used = new Set(['json', 'vsixmanifest', 'txt', ...names.map((name) => name.split('.').at(-1) ?? '')]);
  const lines = [...used].toSorted().map((extension) => {
    const type = types[extension];
    if (type === undefined) throw new Error(`scripts/pack/vsix.ts knows no type for .${extension}`);
    return `<Default Extension=".${extension}" ContentType="${type}"/>`;
  });
  const overrides = programs.map(
    ({ name }) => `<Override PartName="/${name}" ContentType="application/octet-stream"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[...lines, ...overrides].join('')}</Types>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
