/** Sets up a test run: a folder for the database that its files share. Vitest calls it once. */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findClusterPaths } from '../storage/embedded-files.ts'
import { readPostmaster, stopServer } from '../storage/embedded-server.ts'
import { RUN_FOLDER } from './databases.ts'

/** Begins a run; the function it returns stops the database if one was needed. */
export default function startRun(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-test-run-'))
  // Under root, the database runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755)
  process.env[RUN_FOLDER] = folder
  return async () => {
    const dataDir = join(folder, 'data')
    if (existsSync(dataDir)) {
      const paths = findClusterPaths(dataDir)
      const found = readPostmaster(paths)
      if (found) await stopServer(found.running.pid)
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
