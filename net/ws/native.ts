/**
 * Finds a native build of µWebSockets that loads on this machine, trying the newer of the packages
 * that republish them first. A build is for one ABI of Node, and newer builds need a newer glibc;
 * one that does not load never prevents the server from starting. For the origin of the builds see
 * docs/sockets.md.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type Uws = typeof import('uWebSockets.js')

/** Packages with builds, in order of preference; folders are relative to their main file. */
const PACKAGES = [
  { name: '@btc-vision/uwebsockets.js', folders: ['.'] },
  { name: 'uWebSockets.js', folders: ['../binaries', '.'] },
] as const

interface Native {
  readonly uws: Uws
  /** The package it comes from. */
  readonly build: string
}

/** The build that was found, and why earlier packages have none: `<package> <reason>`. */
interface Search {
  readonly native: Native | undefined
  readonly refused: readonly string[]
}

const here = createRequire(import.meta.url)

const wantsFallback = (): boolean => /^(true|1)$/i.test(process.env.UWS_USE_FALLBACK ?? '')

/** Loads a package's build for this Node; throws an error with the reason if that fails. */
function load({ name, folders }: (typeof PACKAGES)[number]): Native {
  const { arch, platform, version, versions } = process
  let main: string
  try {
    main = here.resolve(name)
  } catch {
    throw new Error('is not installed')
  }
  const file = folders
    .map((folder) =>
      join(dirname(main), folder, `uws_${platform}_${arch}_${versions.modules}.node`),
    )
    .find((path) => existsSync(path))
  if (!file) throw new Error(`has no build for ${platform}-${arch} and Node ${version}`)
  try {
    return { uws: here(file) as Uws, build: name }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new Error(`does not load here: ${text.split(/ \(required by|\n/)[0]}`)
  }
}

/** Returns the first native build that loads; none if UWS_USE_FALLBACK is set. */
export function findNative(): Search {
  if (wantsFallback()) return { native: undefined, refused: ['UWS_USE_FALLBACK is set'] }
  const refused: string[] = []
  for (const source of PACKAGES) {
    try {
      return { native: load(source), refused }
    } catch (error) {
      refused.push(`${source.name} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { native: undefined, refused }
}
