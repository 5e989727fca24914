@rem npm start says `exec`, so that on Ctrl-C no shell stands between npm and the service. Windows has no such word.
@%*
