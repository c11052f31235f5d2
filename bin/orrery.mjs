#!/usr/bin/env node
import { existsSync } from 'node:fs'

const cli = new URL('../dist/cli.js', import.meta.url)
if (existsSync(cli)) await import(cli.href)
else {
  console.error('Orrery is not built yet. Run: npm run build')
  process.exitCode = 1
}
