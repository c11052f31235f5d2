/** The release that is running: the server's is in package.json, the interface's in core. */
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

/** The text that `--version` prints. */
export const RELEASE_TEXT = `orrery ${RELEASE} (interface ${VERSION})`
