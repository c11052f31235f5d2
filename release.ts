/** Which release runs: that of the server is in package.json, that of the interface in core. */
import { readFileSync } from 'node:fs'
import { VERSION } from './core/catalog/changelog.ts'
import { assetUrl } from './core/module-url.ts'

interface Package {
  readonly version: string
}

const { version } = JSON.parse(
  readFileSync(assetUrl(import.meta.url, './package.json'), 'utf8'),
) as Package

/** Release of the server. */
const RELEASE = version

/** What `--version` prints. */
export const RELEASE_TEXT = `orrery ${RELEASE} (interface ${VERSION})`
